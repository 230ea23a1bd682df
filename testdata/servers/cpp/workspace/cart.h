#pragma once

#include "book.h"
#include "voucher.h"

namespace shop {

/// Full of books and vouchers. The word price in this comment is no symbol.
class Cart {
public:
  /// Not the function total, though it has the same name.
  Cents total() const;
  const char *label() const;
  Book books[2];
  Voucher vouchers[2];
};

} // namespace shop
