// Package goods has what the shop sells.
package goods

import "example.com/shop/pricing"

// Book is sold at the price on its cover.
type Book struct {
	Title string
	Cover pricing.Cents
}

// Price is the price on the cover.
func (b Book) Price() pricing.Cents {
	return b.Cover
}
