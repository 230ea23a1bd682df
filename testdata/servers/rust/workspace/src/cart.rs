use crate::book::Book;
use crate::pricing::{self as money, total as add_up};
use crate::voucher::Voucher;

/// Full of books and vouchers. The word price in this comment is no symbol.
pub struct Cart {
    pub book: Book,
    pub voucher: Voucher,
}

impl Cart {
    /// Not the function total, though it has the same name.
    pub fn total(&self) -> money::Cents {
        add_up(&self.book, 2) + money::total(&self.voucher, 1)
    }

    /// Has a local variable with the name of the method price.
    pub fn label(&self) -> (&'static str, money::Cents) {
        let price = "price";
        let _ = "🛒 買い物"; (price, self.total())
    }
}
