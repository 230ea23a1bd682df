//! What a shop sells.
pub mod book;
pub mod cart;
pub mod pricing;
pub mod receipt;
pub mod voucher;
