from shop.book import Book
from shop.pricing import total as add_up
from shop.voucher import Voucher


class Cart:
    """Full of books and vouchers."""

    def __init__(self) -> None:
        self.books: list[Book] = []
        self.vouchers: list[Voucher] = []

    # The word price in this comment is no symbol.
    def total(self) -> int:
        """Not the function total, though it has the same name."""
        return add_up(self.books) + add_up(self.vouchers)

    def label(self) -> str:
        price = "price"
        return "🛒 買い物: " + price + str(self.total())
