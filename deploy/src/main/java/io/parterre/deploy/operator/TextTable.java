package io.parterre.deploy.operator;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** A table as text, with columns as wide as their contents. */
final class TextTable {
    private final int columns;
    private final List<List<String>> rows = new ArrayList<>();

    TextTable(String... headings) {
        this.columns = headings.length;
        rows.add(List.of(headings));
    }

    /** Adds a row; an empty cell is shown as a hyphen. */
    TextTable row(Object... cells) {
        if (cells.length != columns) {
            throw new IllegalArgumentException(
                    "cells: " + cells.length + " (expected: " + columns + ")");
        }
        List<String> row = new ArrayList<>();
        for (Object cell : cells) {
            String text = cell.toString();
            row.add(text.isEmpty() ? "-" : text);
        }
        rows.add(row);
        return this;
    }

    void print(PrintWriter out) {
        lines().forEach(out::println);
    }

    List<String> lines() {
        int[] widths =
                IntStream.range(0, columns)
                        .map(
                                column ->
                                        rows.stream()
                                                .mapToInt(row -> row.get(column).length())
                                                .max()
                                                .orElse(0))
                        .toArray();
        List<String> lines = new ArrayList<>();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < columns; column++) {
                String cell = row.get(column);
                line.append(cell).append(" ".repeat(widths[column] - cell.length() + 2));
            }
            lines.add(line.toString().stripTrailing());
        }
        return lines;
    }
}
