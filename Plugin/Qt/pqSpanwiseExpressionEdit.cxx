#include "pqSpanwiseExpressionEdit.h"

#include "pqSpanwiseExpressionHighlighter.h"

#include "Core/Geometry/Expression/Functions.hpp"
#include "Core/Geometry/SetExpression.hpp"

#include <QAbstractItemView>
#include <QCompleter>
#include <QFontDatabase>
#include <QKeyEvent>
#include <QScrollBar>
#include <QStandardItemModel>

#include <algorithm>

namespace {

constexpr int wordRole = Qt::UserRole;       // what is matched with what is written
constexpr int beforeRole = Qt::UserRole + 1; // what is written instead, before the cursor
constexpr int afterRole = Qt::UserRole + 2;  // and behind it

bool isInWord(QChar c) { return c.isLetterOrNumber() || c == '_'; }

bool asksForCompletions(const QKeyEvent* event) {
  return event->key() == Qt::Key_Space && event->modifiers() == Qt::ControlModifier;
}

QStandardItem* completion(const QString& shown, const QString& word, const QString& before, const QString& after = {},
  const QString& meaning = {}) {
  auto* item = new QStandardItem(shown);
  item->setData(word, wordRole);
  item->setData(before, beforeRole);
  item->setData(after, afterRole);
  item->setToolTip(meaning);
  return item;
}

} // namespace

pqSpanwiseExpressionEdit::pqSpanwiseExpressionEdit(QWidget* parent)
  : QPlainTextEdit(parent), completer_(new QCompleter(this)), completions_(new QStandardItemModel(this)) {
  this->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
  this->setTabChangesFocus(true);
  new pqSpanwiseExpressionHighlighter(this->document());
  completer_->setModel(completions_);
  completer_->setCompletionRole(wordRole);
  completer_->setCaseSensitivity(Qt::CaseInsensitive);
  completer_->setWidget(this);
  QObject::connect(
    completer_, QOverload<const QModelIndex&>::of(&QCompleter::activated), this, &pqSpanwiseExpressionEdit::complete);
}

void pqSpanwiseExpressionEdit::setInputs(const QStringList& names, const QStringList& meanings) {
  completions_->clear();
  for (int k = 0; k < names.size(); ++k) {
    const QString written = QString::fromStdString(spanwise::geometry::writtenName(names[k].toStdString()));
    completions_->appendRow(completion(written + "    " + meanings.value(k), names[k], written));
  }
  for (const spanwise::geometry::SetExpressionFunction& function : spanwise::geometry::setExpressionFunctions()) {
    const QString name = QString::fromStdString(function.name);
    completions_->appendRow(completion(
      QString::fromStdString(function.signature), name, name + "(", ")", QString::fromStdString(function.meaning)));
  }
  for (const std::string& word : spanwise::geometry::setExpressionWords()) {
    const QString text = QString::fromStdString(word);
    if (spanwise::geometry::findSetExpressionFunction(word) == nullptr) {
      completions_->appendRow(completion(text, text, text));
    }
  }
}

void pqSpanwiseExpressionEdit::underline(std::size_t firstByte, std::size_t numBytes) {
  const QByteArray bytes = this->toPlainText().toUtf8();
  const auto positionOf = [&](std::size_t byte) {
    return static_cast<int>(QString::fromUtf8(bytes.left(static_cast<qsizetype>(byte))).size());
  };
  int begin = positionOf(firstByte);
  const int end = positionOf(firstByte + numBytes);
  if (begin == end) {
    begin = std::max(begin - 1, 0);
  }
  QTextEdit::ExtraSelection place;
  place.cursor = QTextCursor(this->document());
  place.cursor.setPosition(begin);
  place.cursor.setPosition(end, QTextCursor::KeepAnchor);
  place.format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
  place.format.setUnderlineColor(Qt::red);
  this->setExtraSelections({place});
}

void pqSpanwiseExpressionEdit::removeUnderline() { this->setExtraSelections({}); }

void pqSpanwiseExpressionEdit::write(const QString& text) {
  this->textCursor().insertText(text);
  this->setFocus();
}

void pqSpanwiseExpressionEdit::writeAround(const QString& before, const QString& after) {
  QTextCursor cursor = this->textCursor();
  const QString selected = cursor.selectedText().replace(QChar::ParagraphSeparator, '\n');
  cursor.insertText(before + selected);
  const int place = cursor.position();
  cursor.insertText(after);
  cursor.setPosition(place);
  this->setTextCursor(cursor);
  this->setFocus();
}

QString pqSpanwiseExpressionEdit::functionAtCursor() const {
  const QString text = this->toPlainText();
  const auto wordEndingAt = [&](int end) {
    int begin = end;
    while (begin > 0 && isInWord(text[begin - 1])) {
      --begin;
    }
    return text.mid(begin, end - begin);
  };
  const auto known = [](const QString& word) {
    return spanwise::geometry::findSetExpressionFunction(word.toStdString()) != nullptr;
  };
  const int at = this->textCursor().position();
  int end = at;
  while (end < text.size() && isInWord(text[end])) {
    ++end;
  }
  if (known(wordEndingAt(end))) {
    return wordEndingAt(end);
  }
  int open = 0; // parentheses that are closed before the cursor
  for (int k = at; k-- > 0;) {
    if (text[k] == ')') {
      ++open;
    } else if (text[k] == '(' && open-- == 0) {
      if (known(wordEndingAt(k))) {
        return wordEndingAt(k);
      }
      open = 0;
    }
  }
  return {};
}

QSize pqSpanwiseExpressionEdit::sizeHint() const {
  constexpr int lines = 4;
  return {QPlainTextEdit::sizeHint().width(), lines * this->fontMetrics().lineSpacing() + 2 * this->frameWidth() + 8};
}

bool pqSpanwiseExpressionEdit::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride && asksForCompletions(static_cast<QKeyEvent*>(event))) {
    event->accept(); // else it is the application's shortcut for the search of filters
    return true;
  }
  return QPlainTextEdit::event(event);
}

void pqSpanwiseExpressionEdit::keyPressEvent(QKeyEvent* event) {
  const int key = event->key();
  if (completer_->popup()->isVisible() &&
    (key == Qt::Key_Enter || key == Qt::Key_Return || key == Qt::Key_Escape || key == Qt::Key_Tab)) {
    event->ignore(); // the list of completions takes them
    return;
  }
  if (asksForCompletions(event)) {
    this->offerCompletions(true);
    return;
  }
  if (event->text() == ")" && this->closesItself()) {
    this->moveCursor(QTextCursor::NextCharacter);
    return;
  }
  QPlainTextEdit::keyPressEvent(event);
  if (!event->text().isEmpty()) {
    this->offerCompletions(false);
  }
}

bool pqSpanwiseExpressionEdit::closesItself() const {
  const QString text = this->toPlainText();
  const QTextCursor cursor = this->textCursor();
  return !cursor.hasSelection() && cursor.position() < text.size() && text[cursor.position()] == ')' &&
    text.count('(') == text.count(')');
}

QString pqSpanwiseExpressionEdit::wordBeforeCursor() const {
  const QTextCursor cursor = this->textCursor();
  const QString line = cursor.block().text();
  const int end = cursor.positionInBlock();
  int begin = end;
  while (begin > 0 && isInWord(line[begin - 1])) {
    --begin;
  }
  return line.mid(begin, end - begin);
}

void pqSpanwiseExpressionEdit::offerCompletions(bool always) {
  constexpr int fewestLetters = 2;
  const QString word = this->wordBeforeCursor();
  completer_->setCompletionPrefix(word);
  const bool isWhole = completer_->completionCount() == 1 && completer_->currentCompletion() == word;
  const bool isNumber = !word.isEmpty() && word[0].isDigit();
  if (completer_->completionCount() == 0 || isNumber || (!always && (word.size() < fewestLetters || isWhole))) {
    completer_->popup()->hide();
    return;
  }
  completer_->popup()->setCurrentIndex(completer_->completionModel()->index(0, 0));
  QRect place = this->cursorRect();
  place.setWidth(
    completer_->popup()->sizeHintForColumn(0) + completer_->popup()->verticalScrollBar()->sizeHint().width());
  completer_->complete(place);
}

void pqSpanwiseExpressionEdit::complete(const QModelIndex& index) {
  QTextCursor cursor = this->textCursor();
  cursor.movePosition(QTextCursor::Left, QTextCursor::KeepAnchor, static_cast<int>(this->wordBeforeCursor().size()));
  cursor.removeSelectedText();
  this->setTextCursor(cursor);
  this->writeAround(index.data(beforeRole).toString(), index.data(afterRole).toString());
}
