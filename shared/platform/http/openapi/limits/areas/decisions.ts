import * as limits from '../../../../../kernel/limits/decisions.ts'
import { explained } from '../explained.ts'

export const decisionsLimits = explained('Decisions', limits, {
  maxDecisionXmlBytes: ['bytes', 'the XML of a decision', '422 on `dmn_xml`'],
  maxDecisionNameCharacters: ['characters', 'the name of a decision', '422'],
  maxDecisionsOfDocument: ['decisions', 'decisions of one document', '422 on `dmn_xml`'],
  maxDecisionInputs: ['inputs', 'input data of one document', '422 on `dmn_xml`'],
  maxDecisionRules: ['rules', 'rules of a decision table', '422 on `dmn_xml`'],
  maxDecisionColumns: ['columns', 'inputs and outputs of a decision table together', '422 on `dmn_xml`'],
  maxDecisionCells: ['cells', 'cells of all tables of a document', '422 on `dmn_xml`'],
  maxDecisionCellCharacters: ['characters', 'the text of a cell or an expression', '422 on `dmn_xml`'],
  maxDecisionMs: [
    'milliseconds',
    'the evaluation of a decision with those that it requires',
    '422; in a process, an incident',
  ],
  maxDecisionResultBytes: ['bytes', 'the result of a decision, as JSON', '422; in a process, an incident'],
  maxReplayMs: ['milliseconds', 'how long one replay evaluates', 'The newest are; `is_complete` is false'],
  maxReplayRecords: [
    'records',
    'records that one replay evaluates while its request waits',
    'A job evaluates them (202)',
  ],
  maxReplayJobRecords: ['records', 'records that the job of one replay evaluates', '422 on `limit`'],
  maxReplayResults: ['results', 'different results that the job of a replay counts', 'The first are counted'],
  maxReplayResultCharacters: ['characters', 'of one result, as JSON, that the job of a replay keeps', 'It is cut'],
})
