#ifndef pqSpanwiseExpressionEdit_h
#define pqSpanwiseExpressionEdit_h

#include <QPlainTextEdit>

class QCompleter;
class QStandardItemModel;

/// Edits a set expression: colours it, completes names and functions, and underlines the place of an error.
///
/// Completions are offered from the second letter of a word on, and at any place by Ctrl+Space.
class pqSpanwiseExpressionEdit : public QPlainTextEdit {
  Q_OBJECT
public:
  explicit pqSpanwiseExpressionEdit(QWidget* parent = nullptr);

  /// The names that stand for inputs, and what each of them is.
  void setInputs(const QStringList& names, const QStringList& meanings);

  /// Underlines a part of the text, given in bytes of UTF-8. A place between characters is shown at the one before it.
  void underline(std::size_t firstByte, std::size_t numBytes);
  void removeUnderline();

  /// Writes a text at the cursor, in place of what is selected.
  void write(const QString& text);
  /// Writes two texts around what is selected, and puts the cursor before the second one.
  void writeAround(const QString& before, const QString& after);

  /// The function in whose arguments, or on whose name, the cursor stands; empty if there is none.
  [[nodiscard]] QString functionAtCursor() const;

  [[nodiscard]] QSize sizeHint() const override;

protected:
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

private:
  [[nodiscard]] QString wordBeforeCursor() const;
  /// Whether the parenthesis behind the cursor is the one that a completion has written, so that ) need only pass it.
  [[nodiscard]] bool closesItself() const;
  void offerCompletions(bool always);
  void complete(const QModelIndex& index);

  QCompleter* completer_;
  QStandardItemModel* completions_;
};

#endif
