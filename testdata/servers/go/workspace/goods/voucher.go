package goods

import "example.com/shop/pricing"

// Voucher costs what it is worth. This file has CRLF line endings.
type Voucher struct {
	Worth pricing.Amount
}

// Price is the worth.
func (v *Voucher) Price() pricing.Amount {
	return v.Worth
}
