#pragma once

namespace shop {

/// An amount of money.
using Cents = int;

/// What older code calls Cents.
using Amount = Cents;

/// Everything that has a price.
class Priced {
public:
  /// What one piece costs.
  virtual Cents price() const = 0;
};

/// Adds up the prices of the items.
template <typename T> Cents total(const T *items, int count) {
  Cents sum = 0;
  for (int i = 0; i < count; i++)
    sum += items[i].price();
  return sum;
}

} // namespace shop
