from shop.pricing import Amount, Priced


class Voucher(Priced):
    """Costs what it is worth. This file has CRLF line endings."""

    def __init__(self, worth: Amount) -> None:
        self.worth = worth

    def price(self) -> Amount:
        return self.worth
