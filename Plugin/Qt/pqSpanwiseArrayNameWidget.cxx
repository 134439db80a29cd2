#include "pqSpanwiseArrayNameWidget.h"

#include <pqCoreUtilities.h>

#include <vtkCommand.h>
#include <vtkDataObject.h>
#include <vtkSMArrayListDomain.h>
#include <vtkSMProperty.h>

#include <QComboBox>
#include <QIcon>
#include <QSignalBlocker>
#include <QVBoxLayout>

pqSpanwiseArrayNameWidget::pqSpanwiseArrayNameWidget(vtkSMProxy* proxy, vtkSMProperty* property, QWidget* parent)
  : pqPropertyWidget(proxy, parent), list_(new QComboBox(this)), arrays_(property->FindDomain<vtkSMArrayListDomain>()) {
  this->setProperty(property);
  this->setChangeAvailableAsChangeFinished(true);
  list_->setObjectName("ComboBox");
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(list_);
  this->showArrays();
  pqCoreUtilities::connect(arrays_, vtkCommand::DomainModifiedEvent, this, SLOT(showArrays()));
  this->connect(list_, SIGNAL(currentIndexChanged(int)), SIGNAL(arrayNameChanged()));
  this->addPropertyLink(this, "arrayName", SIGNAL(arrayNameChanged()), property);
}

QString pqSpanwiseArrayNameWidget::arrayName() const { return list_->currentData().toString(); }

void pqSpanwiseArrayNameWidget::setArrayName(const QString& name) {
  if (list_->findData(name) < 0) {
    list_->addItem(name + " (?)", name);
  }
  list_->setCurrentIndex(list_->findData(name));
}

void pqSpanwiseArrayNameWidget::showArrays() {
  const QSignalBlocker quiet(list_); // what is chosen stays
  const QString chosen = this->arrayName();
  list_->clear();
  list_->addItem(QIcon(":/pqWidgets/Icons/pqCancel.svg"), tr("None"), QString(""));
  for (unsigned int k = 0; k < arrays_->GetNumberOfStrings(); ++k) {
    const QString name = arrays_->GetString(k);
    if (list_->findData(name) < 0) { // on points and on cells it is one name
      const bool onPoints = arrays_->GetDomainAssociation(k) == vtkDataObject::POINT;
      list_->addItem(
        QIcon(onPoints ? ":/pqWidgets/Icons/pqPointData.svg" : ":/pqWidgets/Icons/pqCellData.svg"), name, name);
    }
  }
  this->setArrayName(chosen);
}
