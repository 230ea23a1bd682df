#pragma once

#include "pricing.h"

namespace shop {

/// Sold at the price on its cover.
class Book : public Priced {
public:
  Cents price() const override { return cover; }
  Cents cover = 0;
};

} // namespace shop
