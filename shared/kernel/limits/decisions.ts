/** The XML of a decision, in bytes. */
export const maxDecisionXmlBytes = 500_000
/** The name of a decision. */
export const maxDecisionNameCharacters = 200
/** Decisions of one document. */
export const maxDecisionsOfDocument = 50
/** Input data of one document. Bounds the names that every cell is searched for. */
export const maxDecisionInputs = 500
/** Rules of a decision table. */
export const maxDecisionRules = 1_000
/** Inputs and outputs of a decision table together. */
export const maxDecisionColumns = 40
/** Cells of all tables of a document. Bounds how long a save checks them. */
export const maxDecisionCells = 5_000
/** The text of a cell or an expression. */
export const maxDecisionCellCharacters = 1_000
/** The evaluation of a decision with those that it requires, in milliseconds. */
export const maxDecisionMs = 2_000
/** The result of a decision, as JSON. */
export const maxDecisionResultBytes = 64 * 1024
/** How long one replay evaluates, in milliseconds. */
export const maxReplayMs = 10_000
/** Records that one replay evaluates a decision for while its request waits. */
export const maxReplayRecords = 1_000
/** Records that the job of one replay evaluates a decision for. */
export const maxReplayJobRecords = 100_000
/** Different results that the job of a replay tells apart. */
export const maxReplayResults = 300
/** A result that the job of a replay keeps, as JSON. */
export const maxReplayResultCharacters = 300
