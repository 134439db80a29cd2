#include "pqSpanwiseExpressionHighlighter.h"

#include "Core/Geometry/Expression/Functions.hpp"

#include <QGuiApplication>
#include <QPalette>
#include <QRegularExpression>

#include <algorithm>

namespace {

// A colour that can be read on the background that there is.
QColor shade(int hue) {
  const bool onDark = QGuiApplication::palette().color(QPalette::Base).lightness() < 128;
  return QColor::fromHsl(hue, 160, onDark ? 170 : 80);
}

QTextCharFormat coloured(const QColor& color, bool bold = false) {
  QTextCharFormat format;
  format.setForeground(color);
  format.setFontWeight(bold ? QFont::Bold : QFont::Normal);
  return format;
}

bool isWord(const QString& text) {
  const auto& words = spanwise::geometry::setExpressionWords();
  return std::find(words.begin(), words.end(), text.toStdString()) != words.end();
}

} // namespace

void pqSpanwiseExpressionHighlighter::highlightBlock(const QString& text) {
  static const QRegularExpression tokens(R"((?<comment>#.*))"
                                         R"(|(?<quoted>'[^']*'?|"[^"]*"?|`[^`]*`?))"
                                         R"(|(?<number>\b[0-9.]+(?:[eE][+-]?[0-9]+)?\b))"
                                         R"(|(?<function>\b\w+\b(?=\s*\()))"
                                         R"(|(?<name>\b\w+\b))"
                                         R"(|(?<operator>[~&^|-]))",
    QRegularExpression::UseUnicodePropertiesOption);
  constexpr int blue = 220;
  constexpr int green = 130;
  constexpr int purple = 290;
  constexpr int orange = 25;
  for (auto found = tokens.globalMatch(text); found.hasNext();) {
    const QRegularExpressionMatch token = found.next();
    const auto has = [&](const char* name) { return token.hasCaptured(QLatin1String(name)); };
    QTextCharFormat format;
    if (has("comment")) {
      format = coloured(QGuiApplication::palette().color(QPalette::PlaceholderText));
    } else if (has("quoted")) {
      format = coloured(shade(green));
    } else if (has("number")) {
      format = coloured(shade(orange));
    } else if (has("function")) {
      if (spanwise::geometry::findSetExpressionFunction(token.captured().toStdString()) != nullptr) {
        format = coloured(shade(blue), true);
      }
    } else if (has("name")) {
      if (isWord(token.captured())) {
        format = coloured(shade(purple));
      }
    } else {
      format.setFontWeight(QFont::Bold);
    }
    this->setFormat(static_cast<int>(token.capturedStart()), static_cast<int>(token.capturedLength()), format);
  }
}
