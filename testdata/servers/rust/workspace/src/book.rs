use crate::pricing::{Cents, Priced};

/// Sold at the price on its cover.
pub struct Book {
    pub cover: Cents,
}

impl Priced for Book {
    fn price(&self) -> Cents {
        self.cover
    }
}
