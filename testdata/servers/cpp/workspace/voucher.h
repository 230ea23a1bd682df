#pragma once

#include "pricing.h"

namespace shop {

/// Costs what it is worth.
class Voucher : public Priced {
public:
  Amount price() const override { return worth; }
  Amount worth = 0;
};

} // namespace shop
