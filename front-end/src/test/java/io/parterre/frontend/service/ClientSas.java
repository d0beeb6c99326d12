package io.parterre.frontend.service;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Makes access signatures as clients do, from the documentation and not from our own reading of it:
 * the texts are written out here once more.
 */
final class ClientSas {
    private ClientSas() {}

    /** The query with its signature at the end; one with {@code tn} is for a table. */
    static String query(byte[] key, String account, String query) {
        String text = textToSign(account, query);
        return query + "&sig=" + URLEncoder.encode(ServiceUnderTest.sign(key, text), UTF_8);
    }

    static String textToSign(String account, String query) {
        Map<String, String> fields = new TreeMap<>();
        for (String parameter : query.split("&")) {
            String[] pair = parameter.split("=", 2);
            fields.putIfAbsent(pair[0], URLDecoder.decode(pair.length > 1 ? pair[1] : "", UTF_8));
        }
        String version = fields.get("sv");
        if (!fields.containsKey("tn")) {
            List<String> names = List.of("sp", "ss", "srt", "st", "se", "sip", "spr", "sv");
            return account
                    + "\n"
                    + lines(fields, names)
                    + "\n"
                    + (version.compareTo("2020-12-06") >= 0
                            ? fields.getOrDefault("ses", "") + "\n"
                            : "");
        }
        String service = version.compareTo("2015-02-21") >= 0 ? "/table" : "";
        List<String> last =
                version.compareTo("2015-04-05") >= 0
                        ? List.of("si", "sip", "spr", "sv", "spk", "srk", "epk", "erk")
                        : List.of("si", "sv", "spk", "srk", "epk", "erk");
        return lines(fields, List.of("sp", "st", "se"))
                + "\n"
                + service
                + "/"
                + account
                + "/"
                + fields.get("tn").toLowerCase(Locale.ROOT)
                + "\n"
                + lines(fields, last);
    }

    private static String lines(Map<String, String> fields, List<String> names) {
        return String.join(
                "\n", names.stream().map(name -> fields.getOrDefault(name, "")).toList());
    }
}
