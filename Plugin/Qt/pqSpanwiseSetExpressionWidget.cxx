#include "pqSpanwiseSetExpressionWidget.h"

#include "pqSpanwiseExpressionEdit.h"

#include "Core/Geometry/Expression/Functions.hpp"
#include "Core/Geometry/SetExpression.hpp"

#include <pqApplicationCore.h>
#include <pqCoreUtilities.h>
#include <pqOutputPort.h>
#include <pqPipelineSource.h>
#include <pqServerManagerModel.h>

#include <vtkCommand.h>
#include <vtkSMInputProperty.h>
#include <vtkSMPropertyGroup.h>
#include <vtkSMPropertyHelper.h>
#include <vtkSMProxy.h>

#include <QFontDatabase>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <set>

namespace {

struct Operator {
  const char* before; // the cursor
  const char* after;
  const char* shown;
};
constexpr Operator operators[] = {{" | ", "", "A | B    union"}, {" & ", "", "A & B    intersection"},
  {" - ", "", "A - B    difference"}, {" ^ ", "", "A ^ B    in one, not in both"}, {"~", "", "~A    complement"},
  {"(", ")", "(A)    parentheses"}};

/// What the inputs of a filter are called in the pipeline.
QStringList inputLabels(vtkSMProxy* proxy) {
  QStringList labels;
  auto* property = vtkSMInputProperty::SafeDownCast(proxy->GetProperty("Input"));
  if (property == nullptr) {
    return labels;
  }
  const vtkSMPropertyHelper inputs(property);
  const pqServerManagerModel* model = pqApplicationCore::instance()->getServerManagerModel();
  for (unsigned int k = 0; k < inputs.GetNumberOfElements(); ++k) {
    auto* source = model->findItem<pqPipelineSource*>(inputs.GetAsProxy(k));
    if (source == nullptr) {
      labels << QObject::tr("input %1").arg(k + 1);
      continue;
    }
    pqOutputPort* port = source->getOutputPort(static_cast<int>(inputs.GetOutputPort(k)));
    labels << (source->getNumberOfOutputPorts() > 1 && port != nullptr ? port->prettyName() : source->getSMName());
  }
  return labels;
}

QString functionHelp(const spanwise::geometry::SetExpressionFunction& function) {
  return QString("<b>%1</b> %2")
    .arg(QString::fromStdString(function.signature).toHtmlEscaped(),
      QString::fromStdString(function.meaning).toHtmlEscaped());
}

QString languageHelp() {
  QString text = QObject::tr("A set of cells as a formula, such as <b>(A | B) &amp; ~dilate(C, 2)</b>. "
                             "Operators, from the one that binds most: <b>~</b> complement, <b>-</b> difference, "
                             "<b>&amp;</b> intersection, <b>^</b> symmetric difference, <b>|</b> union. "
                             "Ctrl+Space completes a name.<br/>");
  for (const spanwise::geometry::SetExpressionFunction& function : spanwise::geometry::setExpressionFunctions()) {
    text += "<br/>" + functionHelp(function);
  }
  return text;
}

QLabel* makeLabel(const char* objectName, QWidget* parent) {
  auto* label = new QLabel(parent);
  label->setObjectName(objectName);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  label->setWordWrap(true);
  label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  return label;
}

} // namespace

pqSpanwiseSetExpressionWidget::pqSpanwiseSetExpressionWidget(
  vtkSMProxy* proxy, vtkSMPropertyGroup* group, QWidget* parent)
  : pqPropertyGroupWidget(proxy, group, parent), inputLines_(new QGridLayout),
    text_(new pqSpanwiseExpressionEdit(this)), insertMenu_(new QMenu(this)), message_(makeLabel("message", this)),
    caret_(makeLabel("caret", this)), hint_(makeLabel("hint", this)) {
  auto* insert = new QToolButton(this);
  insert->setObjectName("insert");
  insert->setText(tr("Insert"));
  insert->setToolTip(tr("Writes an input, an operator or a function at the cursor; around what is selected."));
  insert->setMenu(insertMenu_);
  insert->setPopupMode(QToolButton::InstantPopup);
  insertMenu_->setToolTipsVisible(true);
  text_->setObjectName("expression");
  text_->setToolTip(languageHelp());
  caret_->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
  caret_->setTextFormat(Qt::PlainText);
  caret_->setWordWrap(false);
  message_->setTextFormat(Qt::PlainText);
  hint_->setTextFormat(Qt::RichText);

  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addLayout(inputLines_);
  layout->addWidget(text_);
  auto* below = new QHBoxLayout;
  below->addWidget(insert, 0, Qt::AlignTop); // on the left, where it is seen in a narrow panel too
  below->addWidget(message_, 1);
  layout->addLayout(below);
  layout->addWidget(caret_);
  layout->addWidget(hint_);

  if (vtkSMProperty* expression = group->GetProperty("Expression")) {
    this->addPropertyLink(text_, "plainText", SIGNAL(textChanged()), expression);
  }
  if (vtkSMProperty* names = group->GetProperty("Names")) {
    this->addPropertyLink(this, "names", SIGNAL(namesChanged()), names);
  }
  QObject::connect(text_, &QPlainTextEdit::textChanged, this, &pqSpanwiseSetExpressionWidget::check);
  QObject::connect(text_, &QPlainTextEdit::cursorPositionChanged, this, &pqSpanwiseSetExpressionWidget::showHint);
  QObject::connect(this, &pqSpanwiseSetExpressionWidget::namesChanged, this, &pqSpanwiseSetExpressionWidget::check);
  QObject::connect(insertMenu_, &QMenu::aboutToShow, this, &pqSpanwiseSetExpressionWidget::fillInsertMenu);
  QObject::connect(pqApplicationCore::instance()->getServerManagerModel(), &pqServerManagerModel::nameChanged, this,
    &pqSpanwiseSetExpressionWidget::showInputs);
  if (vtkSMProperty* inputs = proxy->GetProperty("Input")) {
    pqCoreUtilities::connect(inputs, vtkCommand::ModifiedEvent, this, SLOT(showInputs()));
  }
  this->showInputs();
}

QList<QVariant> pqSpanwiseSetExpressionWidget::names() const {
  QList<QVariant> given;
  for (const QString& name : names_) {
    given << name;
  }
  while (!given.isEmpty() && given.back().toString().isEmpty()) {
    given.removeLast();
  }
  return given;
}

void pqSpanwiseSetExpressionWidget::setNames(const QList<QVariant>& names) {
  if (names == this->names()) {
    return;
  }
  names_.clear();
  for (const QVariant& name : names) {
    names_ << name.toString();
  }
  this->showInputs();
  Q_EMIT this->namesChanged();
}

void pqSpanwiseSetExpressionWidget::showInputs() {
  inputs_ = inputLabels(this->proxy());
  while (names_.size() < inputs_.size()) {
    names_ << QString();
  }
  for (int k = static_cast<int>(nameEdits_.size()); k < inputs_.size(); ++k) {
    auto* name = new QLineEdit(this);
    name->setObjectName(QString("name%1").arg(k));
    name->setPlaceholderText(QString::fromStdString(spanwise::geometry::defaultInputName(k)));
    name->setToolTip(tr("The name of this input in the expression. Without one it is the letter that is shown."));
    name->setMaximumWidth(this->fontMetrics().horizontalAdvance("M") * 10);
    auto* label = makeLabel("", this);
    label->setObjectName(QString("input%1").arg(k));
    label->setTextFormat(Qt::PlainText);
    inputLines_->addWidget(name, k, 0);
    inputLines_->addWidget(label, k, 1);
    nameEdits_.push_back(name);
    QObject::connect(name, &QLineEdit::textChanged, this, [this, k](const QString& text) {
      if (names_[k] != text) {
        names_[k] = text;
        Q_EMIT this->namesChanged();
      }
    });
  }
  for (int k = 0; k < static_cast<int>(nameEdits_.size()); ++k) {
    auto* label = qobject_cast<QLabel*>(inputLines_->itemAtPosition(k, 1)->widget());
    nameEdits_[static_cast<std::size_t>(k)]->setVisible(k < inputs_.size());
    label->setVisible(k < inputs_.size());
    label->setText(inputs_.value(k));
    if (nameEdits_[static_cast<std::size_t>(k)]->text() != names_.value(k)) {
      nameEdits_[static_cast<std::size_t>(k)]->setText(names_.value(k));
    }
  }
  this->check();
}

std::vector<std::string> pqSpanwiseSetExpressionWidget::allNames() const {
  std::vector<std::string> all;
  for (int k = 0; k < inputs_.size(); ++k) {
    all.push_back(names_[k].isEmpty() ? spanwise::geometry::defaultInputName(k) : names_[k].toStdString());
  }
  return all;
}

void pqSpanwiseSetExpressionWidget::check() {
  const std::vector<std::string> names = this->allNames();
  QStringList shown;
  for (const std::string& name : names) {
    shown << QString::fromStdString(name);
  }
  text_->setInputs(shown, inputs_);
  try {
    const spanwise::geometry::SetExpression expression(text_->toPlainText().toStdString(), names);
    try {
      expression.checkDimension(2);
    } catch (const spanwise::geometry::SetExpressionError&) {
      expression.checkDimension(3); // of which dimension the inputs are is not known here
    }
    text_->removeUnderline();
    this->showUse(expression);
  } catch (const spanwise::geometry::SetExpressionError& error) {
    constexpr int charactersAround = 18; // what a narrow panel has room for
    text_->underline(error.where().begin, error.where().length);
    this->showError(QString::fromStdString(error.message()), QString::fromStdString(error.caret(charactersAround)));
  } catch (const spanwise::Error& error) {
    text_->removeUnderline();
    this->showError(error.what(), QString());
  }
  this->showHint();
}

void pqSpanwiseSetExpressionWidget::showError(const QString& message, const QString& caret) {
  message_->setText(message);
  caret_->setText(caret);
  caret_->setVisible(!caret.isEmpty());
}

void pqSpanwiseSetExpressionWidget::showUse(const spanwise::geometry::SetExpression& expression) {
  std::set<int> used;
  for (const spanwise::geometry::SetExpression::Node& node : expression.nodes()) {
    used.insert(node.input);
  }
  QStringList unused;
  for (int k = 0; k < inputs_.size(); ++k) {
    if (used.count(k) == 0) {
      unused << QString::fromStdString(expression.names()[static_cast<std::size_t>(k)]);
    }
  }
  this->showError(unused.isEmpty() ? tr("No errors.") : tr("No errors. Not used: %1.").arg(unused.join(", ")), {});
}

void pqSpanwiseSetExpressionWidget::showHint() {
  const auto* function = spanwise::geometry::findSetExpressionFunction(text_->functionAtCursor().toStdString());
  hint_->setVisible(function != nullptr);
  hint_->setText(function != nullptr ? functionHelp(*function) : QString());
}

void pqSpanwiseSetExpressionWidget::fillInsertMenu() {
  insertMenu_->clear();
  const auto add = [this](const QString& shown, const QString& before, const QString& after, const QString& meaning) {
    QAction* action = insertMenu_->addAction(QString(shown).replace("&", "&&"));
    action->setToolTip(meaning);
    QObject::connect(action, &QAction::triggered, text_, [this, before, after] {
      if (after.isEmpty()) {
        text_->write(before);
      } else {
        text_->writeAround(before, after);
      }
    });
  };
  const std::vector<std::string> names = this->allNames();
  for (int k = 0; k < inputs_.size(); ++k) {
    const QString written = QString::fromStdString(spanwise::geometry::writtenName(names[static_cast<std::size_t>(k)]));
    add(written + "    " + inputs_[k], written, {}, inputs_[k]);
  }
  insertMenu_->addSeparator();
  for (const Operator& each : operators) {
    add(each.shown, each.before, each.after, each.shown);
  }
  insertMenu_->addSeparator();
  for (const spanwise::geometry::SetExpressionFunction& function : spanwise::geometry::setExpressionFunctions()) {
    add(QString::fromStdString(function.signature), QString::fromStdString(function.name) + "(", ")",
      QString::fromStdString(function.meaning));
  }
}
