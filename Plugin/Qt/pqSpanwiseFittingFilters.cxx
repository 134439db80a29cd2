#include "pqSpanwiseFittingFilters.h"

#include <pqCoreUtilities.h>
#include <pqProxyAction.h>
#include <pqProxyCategory.h>
#include <pqProxyGroupMenuManager.h>

#include <vtkPVXMLElement.h>
#include <vtkSMProxy.h>

#include <QAction>
#include <QCursor>
#include <QMenu>
#include <QRegularExpression>
#include <QToolTip>

namespace {

// Null in an application without ParaView's menu of filters.
pqProxyGroupMenuManager* filtersMenu() {
  const QWidget* const window = pqCoreUtilities::mainWidget();
  const auto* const menu = window != nullptr ? window->findChild<QMenu*>("menuFilters") : nullptr;
  return menu != nullptr ? menu->findChild<pqProxyGroupMenuManager*>() : nullptr;
}

// Null if there is none of that name.
QAction* filterAction(const QString& name) {
  const auto* const menu = filtersMenu();
  for (QAction* action : menu != nullptr ? menu->actions() : QList<QAction*>()) {
    if (action->objectName() == name) {
      return action;
    }
  }
  return nullptr;
}

bool takesAnyCells(QAction* action) {
  vtkPVXMLElement* const hints = pqProxyAction::GetProxyPrototype(action)->GetHints();
  vtkPVXMLElement* const hint = hints != nullptr ? hints->FindNestedElementByName("ShowInMenu") : nullptr;
  return hint != nullptr && QString(hint->GetAttributeOrEmpty("cells")) == "any";
}

// The filter's label, without the name of the plugin, which the dock has.
QString linkTo(const QAction* action) {
  QString text = action->text().remove(QRegularExpression("^Spanwise "));
  return QString("<a href=\"%1\">%2</a>").arg(action->objectName(), text.replace(' ', "&nbsp;"));
}

} // namespace

pqSpanwiseFittingFilters::pqSpanwiseFittingFilters(QWidget* parent) : QLabel(parent) {
  this->setWordWrap(true);
  this->setMinimumWidth(1); // it wraps to the width that there is
  this->setTextFormat(Qt::RichText);
  this->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
  QObject::connect(this, &QLabel::linkActivated, this, [](const QString& name) {
    if (QAction* action = filterAction(name)) {
      action->trigger();
    }
  });
  QObject::connect(this, &QLabel::linkHovered, this, [this](const QString& name) {
    QAction* const action = filterAction(name);
    QToolTip::showText(
      QCursor::pos(), action != nullptr ? pqProxyAction::GetProxyDocumentation(action) : QString(), this);
  });
}

void pqSpanwiseFittingFilters::refresh(Cells cells) {
  pqProxyGroupMenuManager* const menu = filtersMenu();
  pqProxyCategory* const ours = menu != nullptr ? menu->getApplicationCategory()->findSubCategory("Spanwise") : nullptr;
  QStringList lines;
  QStringList names;
  for (pqProxyCategory* category : ours != nullptr ? ours->getCategoriesAlphabetically() : QList<pqProxyCategory*>()) {
    const QList<QAction*> actions = menu->categoryActions(category);
    pqProxyAction::updateActionsState(actions);
    QStringList links;
    for (QAction* action : actions) {
      if (action->isEnabled() && (cells == Cells::OfLattice || takesAnyCells(action))) {
        links << linkTo(action);
        names << action->objectName();
      }
    }
    if (!links.isEmpty()) {
      lines << QString("%1: %2").arg(category->label(), links.join(", "));
    }
  }
  names.sort();
  filters_ = names.join(", ");
  this->setText(lines.join("<br>"));
  this->setVisible(!lines.isEmpty());
}
