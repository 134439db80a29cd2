#include "vtkSpanwiseOpenVDBWriter.h"

#include "SpanwiseBridge.h"
#include "SpanwiseExecute.h"
#include "SpanwiseRankGroup.h"
#include "SpanwiseVdbGrids.h"

#include "Readers/OpenVdb/WriteVdb.hpp"

#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/ReplacedFile.hpp"

#include "vtkDataObject.h"
#include "vtkErrorCode.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkObjectFactory.h"

vtkStandardNewMacro(vtkSpanwiseOpenVDBWriter);

vtkSpanwiseOpenVDBWriter::vtkSpanwiseOpenVDBWriter() {
  this->SetProgressText("Spanwise OpenVDB Writer"); // ParaView's progress bar would show the name of the class
  this->SetLevelSetArray("Signed Distance");
}

vtkSpanwiseOpenVDBWriter::~vtkSpanwiseOpenVDBWriter() { this->SetLevelSetArray(nullptr); }

void vtkSpanwiseOpenVDBWriter::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "LevelSetArray: " << (this->LevelSetArray ? this->LevelSetArray : "(none)") << "\n";
}

int vtkSpanwiseOpenVDBWriter::RequestData(
  vtkInformation*, vtkInformationVector** inputs, vtkInformationVector* outputs) {
  const auto group = spanwise::RankGroup::ofAll(this->Controller);
  vtkDataObject* data = vtkDataObject::GetData(inputs[0]->GetInformationObject(0));
  bool failed = true;
  spanwise::execute(this, outputs, group, [&] {
    const std::string name = this->Begin(group);
    const spanwise::Progress progress = spanwise::progressOf(this);
    const spanwise::VdbGrids made =
      vdbGridsOf(group, data, this->LevelSetArray ? this->LevelSetArray : "", progress.part(0.0, 0.2));
    group.agree([&] {
      if (group.rank() != 0) {
        return;
      }
      try {
        if (name.empty()) {
          throw spanwise::FileError("no file name was given");
        }
        spanwise::ReplacedFile file(name);
        spanwise::vdb::writeVdb(file.temporaryPath(), made.grids, progress.part(0.2, 1.0));
        file.commit();
      } catch (const spanwise::FileError& error) {
        throw spanwise::FileError("cannot write '" + name + "': " + error.what());
      }
    });
    if (group.rank() == 0) {
      for (const std::string& remark : made.remarks) {
        vtkWarningMacro("In '" << name << "' " << remark);
      }
    }
    failed = false;
  });
  this->WriteTime.Modified();
  if (failed) {
    this->SetErrorCode(vtkErrorCode::CannotOpenFileError);
  } else {
    this->UpdateProgress(1.0);
  }
  return 1;
}
