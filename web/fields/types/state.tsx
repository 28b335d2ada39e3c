import type { FieldModule } from '../field-module.ts'
import { EditChoices, ShowChoice } from './choice.tsx'

/** A state is changed by the transitions that are open (record/state-buttons.tsx), not by choosing any. */
export const state: FieldModule = {
  Show: ShowChoice,
  FilterValue: EditChoices,
  operators: ['_in', '_nin'],
  width: 140,
  groups: true,
}
