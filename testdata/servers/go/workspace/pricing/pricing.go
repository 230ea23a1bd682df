// Package pricing says what goods cost.
package pricing

// Cents is an amount of money.
type Cents int

// Amount is what older code calls Cents.
type Amount = Cents

// Priced is everything that has a price.
type Priced interface {
	// Price is what one piece costs.
	Price() Cents
}

// Total adds up the prices of the items.
func Total[T Priced](items []T) Cents {
	var total Cents
	for _, item := range items {
		total += item.Price()
	}
	return total
}
