package io.parterre.observability;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What an expression of Prometheus names. It is not checked otherwise: promtool does that.
 *
 * @param matched labels that each series is selected by
 * @param grouped labels that results keep, or are matched by
 */
record PromExpression(Map<String, Set<String>> matched, Set<String> grouped) {
    private static final Pattern TOKEN =
            Pattern.compile(
                    "\"(?:[^\"\\\\]|\\\\.)*\"|\\[[^\\]]*\\]|[a-zA-Z_:][\\w:]*|\\d[\\w.]*|\\S");

    private static final Set<String> WORDS = Set.of("and", "or", "unless", "bool", "offset");
    private static final Set<String> GROUPS =
            Set.of("by", "without", "on", "ignoring", "group_left", "group_right");

    static PromExpression of(String text) {
        List<String> tokens = new ArrayList<>();
        Matcher token = TOKEN.matcher(text);
        while (token.find()) {
            tokens.add(token.group());
        }
        Map<String, Set<String>> matched = new LinkedHashMap<>();
        Set<String> grouped = new TreeSet<>();
        for (int i = 0; i < tokens.size(); i++) {
            String word = tokens.get(i);
            String next = i + 1 < tokens.size() ? tokens.get(i + 1) : "";
            if (!isName(word) || WORDS.contains(word)) {
                continue;
            }
            if (GROUPS.contains(word) && next.equals("(")) {
                i = names(tokens, i + 2, ")", grouped);
            } else if (!next.equals("(") && !GROUPS.contains(next)) {
                Set<String> labels = matched.computeIfAbsent(word, name -> new TreeSet<>());
                i = next.equals("{") ? names(tokens, i + 2, "}", labels) : i;
            }
        }
        return new PromExpression(matched, grouped);
    }

    private static boolean isName(String token) {
        return Character.isLetter(token.charAt(0)) || token.charAt(0) == '_';
    }

    /** Takes the names up to the end of a list. */
    private static int names(List<String> tokens, int from, String end, Set<String> names) {
        int at = from;
        while (!tokens.get(at).equals(end)) {
            if (isName(tokens.get(at))) {
                names.add(tokens.get(at));
            }
            at++;
        }
        return at;
    }
}
