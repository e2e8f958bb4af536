"""A question with its answers as buttons; keys 1 to 4 answer."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from core.learn.description import Quiz
from gui.learn.quiz_sketch import RIGHT, WRONG
from gui.panels.labels import text_label

MOST_ANSWERS = 4


class QuizPanel(QWidget):
    """`taken(place)`: an answer was chosen."""

    taken = Signal(int)

    def __init__(self, quiz: Quiz, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.quiz = quiz
        self.count = text_label("caption")
        self.question = text_label("title", wrap=True)
        self.said = text_label("field", wrap=True)
        self.derivation = text_label("caption", wrap=True)
        self.answers = [QPushButton() for _ in range(MOST_ANSWERS)]
        grid = QGridLayout()
        grid.setSpacing(8)
        for place, button in enumerate(self.answers):
            button.clicked.connect(lambda _=False, place=place: self._take(place))
            grid.addWidget(button, place // 2, place % 2)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 0, 8, 0)
        column.setSpacing(10)
        column.addWidget(self.count)
        column.addWidget(self.question)
        column.addLayout(grid)
        column.addWidget(self.said)
        self.derivation.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Ignored)
        self.derivation.setAlignment(Qt.AlignmentFlag.AlignTop)
        column.addWidget(self.derivation, 1)
        self.set_drawing(quiz)

    def set_drawing(self, quiz: Quiz) -> None:
        """Show a question, or what an answer to it comes to."""
        self.quiz = quiz
        self.count.setText(quiz.title)
        self.question.setText(quiz.question)
        for place, button in enumerate(self.answers):
            button.setVisible(place < len(quiz.choices))
            if place < len(quiz.choices):
                self._dress(button, place)
        self.said.setText(quiz.said)
        self.derivation.setText("\n".join(quiz.derivation))
        self.setAccessibleName(quiz.question)
        self.setAccessibleDescription(quiz.spoken)

    def _dress(self, button: QPushButton, place: int) -> None:
        answer, taken = self.quiz.choices[place], self.quiz.chosen is not None
        mark = RIGHT if taken and answer.right else WRONG if place == self.quiz.chosen else ""
        button.setText(f"{place + 1}   {answer.text}   {mark}".rstrip())
        button.setProperty("primary", taken and answer.right)
        button.style().unpolish(button)
        button.style().polish(button)

    def _take(self, place: int) -> None:
        if self.quiz.chosen is None and place < len(self.quiz.choices):
            self.taken.emit(place)

    def press(self, place: int) -> None:
        """Answer by key."""
        self._take(place)
