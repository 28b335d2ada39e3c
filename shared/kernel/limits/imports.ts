/** Rows of an import. */
export const maxImportRows = 5000
/** Ids that a bulk change names. */
export const maxBulkIds = 10_000
/** Records that a bulk change is about. */
export const maxBulkRecords = 100_000
/** Records that the answer of a batch lists of those that failed, and of those that an undo left alone. */
export const maxListedOfBatch = 1_000
/** Columns of a CSV file, or of a sheet. */
export const maxCsvColumns = 1000
/** A line of a CSV file, or of a sheet. */
export const maxCsvLineBytes = 1024 * 1024
/** Wrong fields that an import names of a row. */
export const maxNamedFieldsPerRow = 20
/** Attempts of a job that fails. */
export const maxJobAttempts = 6
/** Processes that end while they run the same step of a job. */
export const maxJobDeaths = 2
/** Errors that a job lists. */
export const maxJobErrors = 10_000
/** The errors of a job, compressed. What a job lists of its errors, so that its row stays far below the 400 KB of an item. */
export const maxJobErrorBytes = 200 * 1024
/** The errors of a job, as an answer carries them: beside the result of the job, below what Lambda answers. */
export const maxJobErrorAnswerBytes = 3 * 1024 * 1024
/** The filter of a list that a job works on, with the rest of what the job is given, compressed. Beside 200 KB of errors; an item holds 400 KB. */
export const maxJobInputBytes = 150 * 1024
/**
 * What a job keeps between its steps, with its errors and what it was given, compressed: below the 400 KB of an item, with
 * room for the rest of its row.
 */
export const maxJobRowBytes = 380 * 1024
/** Values held twice that a rebuild lists. */
export const maxRebuildErrors = 1_000
/** Records of a file in XLSX: the rows of a sheet without the header. */
export const maxXlsxRecords = 1_048_575
/** A cell of XLSX. */
export const maxXlsxCellCharacters = 32_767
/** Rows of a file that is imported. */
export const maxImportFileRows = 100_000
/** Lines of such a file, also those without text: as many as a sheet can have. */
export const maxImportFileLines = 1_048_576
/** A file that is imported: 32 MB. */
export const maxImportFileBytes = 32 * 1024 * 1024
/** The XML of a workbook that is imported, unpacked. */
export const maxWorkbookBytes = 64 * 1024 * 1024
/** Files in a workbook that is imported. */
export const maxWorkbookEntries = 1000
/** Cells of a sheet that is imported. */
export const maxImportFileCells = 2_000_000
/** Texts that cells of a workbook share. */
export const maxWorkbookTexts = 1_000_000
/** Characters of a sheet that is imported: a text that cells share counts for each of them. */
export const maxImportFileCharacters = 64 * 1024 * 1024
/** Saved mappings of files. */
export const maxImportMappings = 200
/** The columns and fields of a saved mapping, as JSON. */
export const maxImportMappingBytes = 32 * 1024
/** The name of a sheet. */
export const maxSheetNameCharacters = 100
/** Records that the keys of a few rows match together, by a field that is not unique. */
export const maxKeyMatches = 5_000
/** The auto number of a legacy record: ids follow it, and stay far below what a number holds exactly. */
export const maxLegacyNumber = 1_000_000_000_000
