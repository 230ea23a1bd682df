// Package receipt prints [cart.Cart.Total]. This file begins with a byte order mark.
package receipt

import (
	"example.com/shop/cart"
	"example.com/shop/pricing"
)

// First is the price of the first book.
func First(c cart.Cart) pricing.Cents {
	/* 📚 本 */ return c.Books[0].Price()
}

// Last is the last line: a label and the total.
func Last(c cart.Cart) (string, pricing.Amount) {
	return "Total", c.Total()
}
