package io.parterre.deploy.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.util.List;
import org.yaml.snakeyaml.error.MarkedYAMLException;

/** Describes briefly where a text is no YAML; the parser's own message could quote a secret. */
final class YamlTrouble {
    private YamlTrouble() {}

    static String reason(String text, JsonProcessingException failure) {
        int number = lineNumber(failure);
        return number < 1
                ? problem("", failure)
                : "line " + number + ": " + problem(line(text, number), failure);
    }

    private static String problem(String line, JsonProcessingException failure) {
        if (String.valueOf(failure.getOriginalMessage()).startsWith("Duplicate field")) {
            return "a key that stands there already (expected: each once)";
        }
        return line.matches("\\s*\\t.*")
                ? "indented by a tab (expected: spaces)"
                : "not valid YAML";
    }

    private static String line(String text, int number) {
        List<String> lines = text.lines().toList();
        return number <= lines.size() ? lines.get(number - 1) : "";
    }

    /**
     * Returns the line from 1; 0 if unknown. The reader's own location is where the block began,
     * not the error.
     */
    private static int lineNumber(JsonProcessingException failure) {
        if (failure.getCause() instanceof MarkedYAMLException marked
                && marked.getProblemMark() != null) {
            return marked.getProblemMark().getLine() + 1;
        }
        return failure.getLocation() == null ? 0 : failure.getLocation().getLineNr();
    }
}
