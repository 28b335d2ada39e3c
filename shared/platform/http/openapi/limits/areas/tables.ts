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
  maxDecimalDigits: ['digits', 'digits of a decimal', '422'],
  maxDecimalScale: ['digits', 'digits of a decimal after the point (`scale`)', '422'],
  defaultDecimalScale: ['digits', 'digits of a decimal after the point without `scale`', 'more digits are 422'],
  maxJsonBytes: ['bytes', 'the value of a json field, as JSON text', '422'],
  maxNumberPrefixCharacters: ['characters', 'the `prefix` of an auto_number', '422'],
  maxPaddedDigits: ['digits', 'the `digits` of an auto_number; longer numbers have more', '422'],
  maxStartNumber: ['as a number', 'the `start` of an auto_number', '422'],
  maxSchemes: ['schemes', 'schemes that a url field takes', '422'],
  maxStates: ['states', 'states of a state_model', '422'],
  maxTransitions: ['transitions', 'transitions of a state_model', '422'],
  maxFields: ['fields', 'fields of a table', '422'],
  maxFormulaCharacters: ['characters', 'the formula of a computed field', '422'],
  maxFormulaDepth: ['levels', 'how deep the parts of a formula are nested', '422 on `formula`'],
  maxFormulaTextCharacters: [
    'characters',
    'the texts that a formula works on, each counted as often as the formula names it, and its result',
    'the field has no value',
  ],
  maxHooks: ['hooks', 'hooks of a table', '422'],
})
