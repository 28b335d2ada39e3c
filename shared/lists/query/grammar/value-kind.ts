/** How the values of a field compare and which operators they take. */
export type ValueKind = 'text' | 'number' | 'boolean' | 'date' | 'datetime' | 'point'
