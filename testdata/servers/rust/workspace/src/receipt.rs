use crate::cart::Cart; // This file begins with a byte order mark.
use crate::pricing::{total, Cents, Priced};

/// The price of the book.
pub fn first(cart: &Cart) -> Cents {
    /* 📚 本 */ cart.book.price()
}

/// The price of whatever it is.
pub fn any(item: &dyn Priced) -> Cents {
    item.price()
}

/// The last line: a label and the total.
pub fn last(cart: &Cart) -> (&'static str, Cents) {
    ("total", total(&cart.book, 1) + cart.total())
}
