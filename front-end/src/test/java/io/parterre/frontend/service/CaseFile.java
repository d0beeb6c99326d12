package io.parterre.frontend.service;

import io.parterre.entity.Ticks;
import io.parterre.frontend.call.HeaderList;
import io.parterre.frontend.table.ETags;
import io.parterre.frontend.table.ErrorBody;
import io.parterre.frontend.table.MetadataLevel;
import io.parterre.frontend.table.StatusText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Cases as text. A file holds cases, each with a store of its own:
 *
 * <pre>
 * == Merge leaves unnamed properties alone
 * # Source: 3.9
 * given POST /acct/T {"PartitionKey":"p","RowKey":"r"}
 * GET /acct/T(PartitionKey='p',RowKey='r')
 * Accept: application/json;odata=nometadata
 *
 * the request's body
 * ----
 * 200 json none
 * ETag: {e1}
 *
 * the answer's body
 * </pre>
 *
 * <p>Exchanges of a case are separated by {@code ....}; {@code given} lines must succeed. {@code
 * {e1}}, {@code {j1}}, {@code {t1}} stand for the ETag of the first write of the case, the same
 * inside JSON, and its Timestamp; {@code {base}} for the service's address; {@code {u0085}} for a
 * character that nobody would see. A request without {@code Authorization} is signed. {@code
 * [crlf]} before a request writes its body with CRLF.
 *
 * <p>{@code {sign1 text}} is the signature of the text by the account's first key, {@code sign2} by
 * its second, {@code \n} in it a line feed; {@code {date}} is the clock's.
 *
 * <p>{@code {sas1 query}} is that query string with its signature by the first key, {@code sas2} by
 * the second, {@code {sas1@other query}} for another account.
 *
 * <p>{@code {times 3 text}} is the text three times over, {@code {#}} in it its number from 0 on
 * and {@code {#1}} from 1 on. Braces in the text are balanced.
 *
 * <p>Empty lines at the end of a body do not count, unless a line of {@code {nothing}} follows.
 *
 * <p>Comments under the title cite what a case shows, before a colon if there is more to say:
 * sections and rules of docs/protocol.md, and field cases.
 *
 * <p>The first line of an answer names its kind, which stands for headers that are not written out:
 *
 * <pre>
 * 204                         data layer, no body
 * 200 json minimal            data layer, JSON of that level
 * 202 batch                   multipart, CRLF
 * 404 error ResourceNotFound  data layer; the body is the first line of the text
 * 400 syntax InvalidInput     the same without Cache-Control; a level may follow
 * 404 xmlerror Code           data layer as XML
 * 204 settings                settings, no body
 * 200 settings xml            settings, XML after a byte-order mark and the declaration
 * 403 front Code json         front end, authenticated; or xml
 * 403 denied Code json        front end, not authenticated; or xml
 * 404 plain The reason phrase every header and the whole body are written out
 * </pre>
 */
record CaseFile() {
    /**
     * One case.
     *
     * @param citations what the comments under its title cite
     */
    record Case(String name, List<String> citations, List<Exchange> exchanges) {}

    record Exchange(
            String method,
            String target,
            HeaderList headers,
            String body,
            Optional<Expected> expected) {}

    record Expected(int status, String reason, List<String> headers, String body) {}

    private static final Pattern MACRO = Pattern.compile("\\{([ejt])(\\d+)}");
    private static final Pattern CHARACTER = Pattern.compile("\\{u([0-9a-f]{4})}");
    private static final Pattern SIGNATURE = Pattern.compile("\\{sign([12]) ([^}]*)}");
    private static final Pattern ACCESS_SIGNATURE =
            Pattern.compile("\\{sas([12])(?:@(\\w+))? ([^}]*)}");
    private static final String REQUEST_ID = "r";
    private static final String TIMES = "{times ";

    /** As {@link ServiceUnderTest#text} shows it. */
    private static final String BYTE_ORDER_MARK = "\u00EF\u00BB\u00BF";

    private static final String DECLARATION = "<?xml version=\"1.0\" encoding=\"utf-8\"?>";

    static List<Case> parse(String text) {
        List<Case> cases = new ArrayList<>();
        for (String block : text.split("(?m)^== ")) {
            if (block.isBlank() || block.startsWith("#")) {
                continue;
            }
            int end = block.indexOf('\n');
            cases.add(
                    new Case(
                            block.substring(0, end).strip(),
                            citations(block.substring(end + 1)),
                            exchanges(expand(block.substring(end + 1)))));
        }
        return cases;
    }

    /** The items of the comments that begin a case: {@code # protocol 3.9, 4.1, F021: a reason}. */
    private static List<String> citations(String text) {
        List<String> citations = new ArrayList<>();
        for (String line : text.split("\n")) {
            if (!line.startsWith("#")) {
                break;
            }
            String items = line.substring(1).replaceFirst("[:;].*", "");
            for (String item : items.split(",")) {
                citations.add(item.strip().replaceFirst("^protocol ", ""));
            }
        }
        return List.copyOf(citations);
    }

    /** Writes out {@code {times …}}, the innermost first. */
    private static String repeat(String text) {
        String repeated = text;
        int from = repeated.lastIndexOf(TIMES);
        while (from >= 0) {
            int space = repeated.indexOf(' ', from + TIMES.length());
            int end = closingBrace(repeated, from);
            int times = Integer.parseInt(repeated.substring(from + TIMES.length(), space));
            String once = repeated.substring(space + 1, end);
            String all = once.contains("{#") ? numbered(once, times) : once.repeat(times);
            repeated = repeated.substring(0, from) + all + repeated.substring(end + 1);
            from = repeated.lastIndexOf(TIMES);
        }
        return repeated;
    }

    private static String numbered(String once, int times) {
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < times; i++) {
            all.append(
                    once.replace("{#}", Integer.toString(i))
                            .replace("{#1}", Integer.toString(i + 1)));
        }
        return all.toString();
    }

    private static int closingBrace(String text, int open) {
        int depth = 0;
        for (int at = open; at < text.length(); at++) {
            depth += text.charAt(at) == '{' ? 1 : 0;
            depth -= text.charAt(at) == '}' ? 1 : 0;
            if (depth == 0) {
                return at;
            }
        }
        throw new IllegalArgumentException("case: no end of " + text.substring(open, open + 20));
    }

    private static String expand(String text) {
        String based =
                repeat(text)
                        .replace("{base}", "http://" + ServiceUnderTest.HOST + "/acct")
                        .replace("{date}", ServiceUnderTest.DATE);
        based =
                SIGNATURE
                        .matcher(based)
                        .replaceAll(
                                found ->
                                        Matcher.quoteReplacement(
                                                ServiceUnderTest.sign(
                                                        found.group(1).equals("1")
                                                                ? ServiceUnderTest.KEY
                                                                : ServiceUnderTest.SECOND_KEY,
                                                        found.group(2).replace("\\n", "\n"))));
        based =
                ACCESS_SIGNATURE
                        .matcher(based)
                        .replaceAll(
                                found ->
                                        Matcher.quoteReplacement(
                                                ClientSas.query(
                                                        found.group(1).equals("1")
                                                                ? ServiceUnderTest.KEY
                                                                : ServiceUnderTest.SECOND_KEY,
                                                        Optional.ofNullable(found.group(2))
                                                                .orElse("acct"),
                                                        found.group(3))));
        based =
                CHARACTER
                        .matcher(based)
                        .replaceAll(
                                found ->
                                        Matcher.quoteReplacement(
                                                Character.toString(
                                                        Integer.parseInt(found.group(1), 16))));
        Matcher matcher = MACRO.matcher(based);
        return matcher.replaceAll(
                found -> {
                    long ticks =
                            Ticks.of(ServiceUnderTest.NOW) + Integer.parseInt(found.group(2)) - 1;
                    String value =
                            switch (found.group(1)) {
                                case "e" -> ETags.of(ticks);
                                case "j" -> ETags.of(ticks).replace("\"", "\\\"");
                                default -> Ticks.format(ticks);
                            };
                    return Matcher.quoteReplacement(value);
                });
    }

    private static List<Exchange> exchanges(String text) {
        List<Exchange> exchanges = new ArrayList<>();
        for (String block : text.split("(?m)^\\.\\.\\.\\.\\n")) {
            List<String> lines = new ArrayList<>(Arrays.asList(block.split("\n", -1)));
            boolean crlf = false;
            while (!lines.isEmpty()
                    && (lines.get(0).startsWith("#")
                            || lines.get(0).isBlank()
                            || lines.get(0).startsWith("given ")
                            || lines.get(0).equals("[crlf]"))) {
                String line = lines.remove(0);
                crlf |= line.equals("[crlf]");
                if (line.startsWith("given ")) {
                    exchanges.add(given(line));
                }
            }
            if (!lines.isEmpty()) {
                exchanges.add(exchange(lines, crlf));
            }
        }
        return exchanges;
    }

    private static Exchange given(String line) {
        String[] words = line.split(" ", 4);
        return new Exchange(
                words[1],
                words[2],
                HeaderList.of("Prefer", "return-no-content", "If-Match", "*"),
                words.length > 3 ? words[3] : "",
                Optional.empty());
    }

    private static Exchange exchange(List<String> lines, boolean crlf) {
        int divider = lines.indexOf("----");
        if (divider < 0) {
            throw new IllegalArgumentException("case: no ---- after " + lines.get(0));
        }
        String[] request = lines.get(0).split(" ", 2);
        List<String> head = lines.subList(1, divider);
        String body = body(head);
        return new Exchange(
                request[0],
                request[1].replace("{space}", " "),
                headers(head),
                crlf ? body.replace("\n", "\r\n") : body,
                Optional.of(expected(lines.subList(divider + 1, lines.size()))));
    }

    private static HeaderList headers(List<String> lines) {
        List<HeaderList.Header> headers = new ArrayList<>();
        for (String line : lines) {
            if (line.isEmpty()) {
                break;
            }
            int colon = line.indexOf(':');
            headers.add(
                    new HeaderList.Header(
                            line.substring(0, colon), line.substring(colon + 1).strip()));
        }
        return new HeaderList(headers);
    }

    /** What follows the first empty line, without trailing empty lines. */
    private static String body(List<String> lines) {
        int empty = lines.indexOf("");
        if (empty < 0) {
            return "";
        }
        int end = lines.size();
        while (end > empty + 1 && lines.get(end - 1).isEmpty()) {
            end--;
        }
        return String.join("\n", lines.subList(empty + 1, Math.max(empty + 1, end)))
                .replace("{nothing}", "");
    }

    private static Expected expected(List<String> lines) {
        String[] words = lines.get(0).split(" ");
        int status = Integer.parseInt(words[0]);
        String kind = words.length > 1 ? words[1] : "none";
        List<String> rest = lines.subList(1, lines.size());
        List<String> headers = new ArrayList<>();
        headers(rest).headers().forEach(h -> headers.add(h.name() + ": " + h.value()));
        String body = body(rest);
        String reason = StatusText.of(status);
        headers.add("x-ms-request-id: " + REQUEST_ID);
        boolean denied = kind.equals("denied");
        headers.add(
                denied
                        ? "Server: Microsoft-HTTPAPI/2.0"
                        : "Server: Windows-Azure-Table/1.0 Microsoft-HTTPAPI/2.0");
        if (!denied && headers.stream().noneMatch(line -> line.startsWith("x-ms-version:"))) {
            headers.add("x-ms-version: 2019-02-02");
        }
        switch (kind) {
            case "none" -> dataLayer(headers);
            case "json" -> {
                dataLayer(headers);
                headers.add("Content-Type: " + level(words, 2).contentType());
            }
            case "batch" -> {
                dataLayer(headers);
                headers.add("Content-Type: multipart/mixed; boundary=batchresponse_b");
                body = batchBody(body);
            }
            case "error", "syntax" -> {
                headers.add("X-Content-Type-Options: nosniff");
                if (kind.equals("error")) {
                    headers.add("Cache-Control: no-cache");
                }
                headers.add("x-ms-error-code: " + words[2]);
                headers.add("Content-Type: " + level(words, 3).contentType());
                body = json(words[2], body);
            }
            case "xmlerror" -> {
                dataLayer(headers);
                headers.add("x-ms-error-code: " + words[2]);
                headers.add("Content-Type: application/xml;charset=utf-8");
                body =
                        ServiceUnderTest.text(
                                ErrorBody.dataLayerXml(
                                        words[2], body, REQUEST_ID, ServiceUnderTest.NOW));
            }
            case "plain" -> reason = lines.get(0).split(" ", 3)[2];
            case "settings" -> {
                if (words.length > 2) {
                    headers.add("Content-Type: application/xml");
                    body = BYTE_ORDER_MARK + DECLARATION + body;
                }
            }
            case "front", "denied" -> {
                headers.add("x-ms-error-code: " + words[2]);
                headers.add("Content-Type: application/" + words[3]);
                reason = body;
                body =
                        words[3].equals("json")
                                ? json(words[2], body)
                                : ServiceUnderTest.text(
                                        ErrorBody.frontEndXml(
                                                words[2], body, REQUEST_ID, ServiceUnderTest.NOW));
            }
            default -> throw new IllegalArgumentException("case: kind " + kind);
        }
        String[] sorted = headers.toArray(String[]::new);
        Arrays.sort(sorted);
        return new Expected(status, reason, List.of(sorted), body);
    }

    private static void dataLayer(List<String> headers) {
        headers.add("Cache-Control: no-cache");
        headers.add("X-Content-Type-Options: nosniff");
    }

    private static MetadataLevel level(String[] words, int index) {
        return words.length > index
                ? MetadataLevel.valueOf(words[index].toUpperCase(Locale.ROOT))
                : MetadataLevel.MINIMAL;
    }

    private static String json(String code, String text) {
        return ServiceUnderTest.text(ErrorBody.json(code, text, REQUEST_ID, ServiceUnderTest.NOW));
    }

    /** Lines end in CRLF; {@code [error Code] text} is the body of an error. */
    private static String batchBody(String body) {
        StringBuilder out = new StringBuilder();
        for (String line : body.split("\n", -1)) {
            if (line.startsWith("[error ")) {
                int end = line.indexOf("] ");
                out.append(json(line.substring(7, end), line.substring(end + 2)));
            } else {
                out.append(line);
            }
            out.append("\r\n");
        }
        return out.toString();
    }
}
