namespace shop { class Voucher; int tax(const Voucher &); } // This file begins with a byte order mark.
#include "cart.h"

/// The price of the first book.
shop::Cents first(const shop::Cart &cart) {
  /* 📚 本 */ return cart.books[0].price();
}

/// The price of whatever it is.
shop::Amount any(const shop::Priced &item) {
  return item.price();
}

/// The price of the books and a tax.
shop::Amount last(const shop::Cart &cart) {
  return shop::total(cart.books, 2) + shop::tax(cart.vouchers[0]);
}
