export { pointText } from './column-values.ts'
export { columnTest, type ColumnTest, type Predicate } from './predicate.ts'
export { compareScalars, compareText, foldCase, type Scalar, type Value } from './scalar.ts'
