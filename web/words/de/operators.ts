import type { Words } from '../words.ts'

export const operators: Words['operators'] = {
  _eq: 'ist',
  _neq: 'ist nicht',
  _icontains: 'enthält',
  _istarts_with: 'beginnt mit',
  _gt: 'mehr als',
  _gte: 'mindestens',
  _lt: 'weniger als',
  _lte: 'höchstens',
  _in: 'ist eines von',
  _nin: 'ist keines von',
  _has_any: 'hat eines von',
  _null: 'ist leer',
  _nnull: 'ist nicht leer',
}
