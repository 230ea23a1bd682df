import { Book } from "./book";
import { total as addUp } from "./pricing";
import { Voucher } from "./voucher";

/** Full of books and vouchers. The word price in this comment is no symbol. */
export class Cart {
  constructor(readonly books: Book[], readonly vouchers: Voucher[]) {}

  /** Not the function total, though it has the same name. */
  total() {
    return addUp(this.books) + addUp(this.vouchers);
  }

  /** Has a local variable with the name of the method price. */
  label(): string {
    const price = "price";
    return "🛒 買い物: " + price + this.total();
  }
}
