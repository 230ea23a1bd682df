/** An amount of money. */
export type Cents = number;

/** What older code calls Cents. */
export type Amount = Cents;

/** Everything that has a price. */
export interface Priced {
  /** What one piece costs. */
  price(): Cents;
}

/** Adds up the prices of the items. */
export function total<T extends Priced>(items: readonly T[]): Cents {
  let sum: Cents = 0;
  for (const item of items) {
    sum += item.price();
  }
  return sum;
}
