import * as limits from '../../../../../kernel/limits/tables.ts'
import { explained } from '../explained.ts'

export const tablesLimits = explained('Tables', limits, {
  maxUniqueFields: ['fields', 'unique fields of a table', '422'],
  maxHookScriptBytes: ['bytes', 'the script of a hook', '422'],
  maxTableBytes: ['bytes', 'the document of a table', '422 on `table_fields`'],
  maxRetiredFieldBytes: ['bytes', 'what is kept of the retired fields of a table', '422 on `table_fields`'],
  maxLabelCharacters: ['characters', 'a label, and the name of a hook', '422'],
  maxColorCharacters: ['characters', 'a colour', '422'],
  maxFieldDescriptionCharacters: ['characters', 'the description of a field', '422'],
  maxOptions: ['options', 'options of a value_list', '422'],
  maxStates: ['states', 'states of a state_model', '422'],
  maxTransitions: ['transitions', 'transitions of a state_model', '422'],
  maxFields: ['fields', 'fields of a table', '422'],
  maxHooks: ['hooks', 'hooks of a table', '422'],
  maxPatternCharacters: ['characters', 'the regular expression of a pattern', '422'],
  maxPatternSteps: ['instructions', 'what a pattern compiles to', '422'],
  maxTablePatternSteps: ['instructions', 'what all patterns of a table compile to', '422'],
  maxPatternedCharacters: ['characters', 'a text of a field with a pattern', '422'],
  maxPatternMessageCharacters: ['characters', 'the message of a pattern', '422'],
  maxRequiredFields: ['fields', 'fields that a transition requires', '422'],
})
