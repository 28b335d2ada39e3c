import { requireEnvironment } from '../../shared/kernel/require-environment.ts'
import { createStore } from '../../shared/platform/store/store.ts'

export const store = createStore(requireEnvironment('TABLE_NAME'))
