#include "vtkSpanwiseNearPlaceInformation.h"

#include "SpanwiseCurrentOutput.h"
#include "SpanwiseNearPlace.h"
#include "SpanwiseStream.h"

#include <vtkMultiProcessStream.h>
#include <vtkObjectFactory.h>

#include <algorithm>

namespace spanwise {

template <class Stream>
void transfer(Stream& stream, NearPlace& place) {
  transferAll(stream, place.at[0], place.at[1], place.at[2], place.squaredDistance);
}

} // namespace spanwise

vtkStandardNewMacro(vtkSpanwiseNearPlaceInformation);

void vtkSpanwiseNearPlaceInformation::CopyFromObject(vtkObject* object) {
  spanwise::NearPlace place;
  spanwise::findNearPlace(spanwise::currentOutput(object, this->PortNumber), this->Wanted, place);
  std::copy_n(place.at, 3, this->Place);
  this->SquaredDistance = place.squaredDistance;
}

void vtkSpanwiseNearPlaceInformation::AddInformation(vtkPVInformation* information) {
  const auto* other = vtkSpanwiseNearPlaceInformation::SafeDownCast(information);
  if (other != nullptr && other->SquaredDistance < this->SquaredDistance) {
    std::copy_n(other->Place, 3, this->Place);
    this->SquaredDistance = other->SquaredDistance;
  }
}

void vtkSpanwiseNearPlaceInformation::CopyToStream(vtkClientServerStream* stream) {
  spanwise::NearPlace place{{this->Place[0], this->Place[1], this->Place[2]}, this->SquaredDistance};
  spanwise::write(*stream, place);
}

void vtkSpanwiseNearPlaceInformation::CopyFromStream(const vtkClientServerStream* stream) {
  spanwise::NearPlace place;
  if (!spanwise::read(*stream, place)) {
    vtkErrorMacro(<< spanwise::notReadable);
  }
  std::copy_n(place.at, 3, this->Place);
  this->SquaredDistance = place.squaredDistance;
}

void vtkSpanwiseNearPlaceInformation::CopyParametersToStream(vtkMultiProcessStream& stream) {
  stream << this->PortNumber << this->Wanted[0] << this->Wanted[1] << this->Wanted[2];
}

void vtkSpanwiseNearPlaceInformation::CopyParametersFromStream(vtkMultiProcessStream& stream) {
  stream >> this->PortNumber >> this->Wanted[0] >> this->Wanted[1] >> this->Wanted[2];
}

void vtkSpanwiseNearPlaceInformation::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "PortNumber: " << this->PortNumber << '\n';
  os << indent << "Wanted: " << this->Wanted[0] << ' ' << this->Wanted[1] << ' ' << this->Wanted[2] << '\n';
  os << indent << "Place: " << this->Place[0] << ' ' << this->Place[1] << ' ' << this->Place[2] << '\n';
  os << indent << "SquaredDistance: " << this->SquaredDistance << '\n';
}
