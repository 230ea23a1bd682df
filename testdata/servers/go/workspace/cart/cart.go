// Package cart holds what a customer wants to buy.
package cart

import (
	"example.com/shop/goods"
	money "example.com/shop/pricing"
)

// Cart is full of books and vouchers. The word Price in this comment is no symbol.
type Cart struct {
	Books    []goods.Book
	Vouchers []*goods.Voucher
}

// Total is what everything in the cart costs. The function it calls has the same name.
func (c Cart) Total() money.Cents {
	return money.Total(c.Books) + money.Total(c.Vouchers)
}

// Label has a local variable with the name of the method Price.
func (c Cart) Label() (string, money.Cents) {
	Price := "Price"
	return "🛒 買い物: " + Price, c.Total()
}
