#include "cart.h"

namespace money = shop;

money::Cents shop::Cart::total() const {
  return money::total(books, 2) + money::total<Voucher>(vouchers, 2);
}

const char *shop::Cart::label() const {
  const char *price = "price";
  return total() > 0 ? "🛒 買い物" : price;
}
