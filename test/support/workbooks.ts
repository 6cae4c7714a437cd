// Workbooks (.xlsx) for tests.

import writeExcelFile, { type SheetData } from "write-excel-file/node";

/** The bytes of a workbook with sheets of these rows, by their names. */
export function workbook(sheets: Record<string, unknown[][]>): Promise<Buffer> {
  const named = Object.entries(sheets).map(([sheet, rows]) => {
    return { sheet, data: rows.map((row) => row.map(cellOf)) as SheetData };
  });
  return writeExcelFile(named).toBuffer();
}

function cellOf(value: unknown): unknown {
  if (value === null) return null;
  if (value instanceof Date) return { value, type: Date, format: "yyyy-mm-dd" };
  return { value, type: (value as object).constructor };
}
