import type { Cents, Priced } from "./pricing";

/** Sold at the price on its cover. */
export class Book implements Priced {
  constructor(readonly cover: Cents) {}

  price(): Cents {
    return this.cover;
  }
}
