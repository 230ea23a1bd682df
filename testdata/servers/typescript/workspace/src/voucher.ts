import type { Amount, Priced } from "./pricing";

/** Costs what it is worth. This file has CRLF line endings. */
export class Voucher implements Priced {
  constructor(readonly worth: Amount) {}

  price(): Amount {
    return this.worth;
  }
}
