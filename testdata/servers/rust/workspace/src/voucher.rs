use crate::pricing::{Amount, Cents, Priced};

/// Costs what it is worth. This file has CRLF line endings.
pub struct Voucher {
    pub worth: Amount,
}

impl Priced for Voucher {
    /// The price is the worth.
    fn price(&self) -> Cents {
        self.worth
    }
}

/// The tax in a voucher.
pub fn tax(voucher: &Voucher) -> Amount {
    voucher.worth / 5
}
