import { requireEnvironment } from '../../../shared/kernel/runtime/require-environment.ts'
import { createStore } from '../../../shared/platform/store/store.ts'

export const store = createStore(requireEnvironment('TABLE_NAME'))
