import { Cart } from "./cart"; // This file begins with a byte order mark.
import { type Cents, total } from "./pricing";

/** The price of the first book. */
export function first(cart: Cart): Cents {
  /* 📚 本 */ return cart.books[0].price();
}

/** The last line: a label and the total. */
export function last(cart: Cart): string {
  return "total " + (total(cart.books) + cart.total());
}
