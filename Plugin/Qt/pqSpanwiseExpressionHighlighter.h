#ifndef pqSpanwiseExpressionHighlighter_h
#define pqSpanwiseExpressionHighlighter_h

#include <QSyntaxHighlighter>

/// Colours functions, words, numbers, operators, quoted names and comments of a set expression.
class pqSpanwiseExpressionHighlighter : public QSyntaxHighlighter {
  Q_OBJECT
public:
  explicit pqSpanwiseExpressionHighlighter(QTextDocument* document) : QSyntaxHighlighter(document) {}

protected:
  void highlightBlock(const QString& text) override;
};

#endif
