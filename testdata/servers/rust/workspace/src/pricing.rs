//! What goods cost.

/// An amount of money.
pub type Cents = i64;

/// What older code calls Cents.
pub type Amount = Cents;

/// Everything that has a price.
pub trait Priced {
    /// What one piece costs.
    fn price(&self) -> Cents;
}

/// The price of so many pieces of one kind.
pub fn total<T: Priced>(item: &T, pieces: Cents) -> Cents {
    let total = item.price() * pieces;
    total
}
