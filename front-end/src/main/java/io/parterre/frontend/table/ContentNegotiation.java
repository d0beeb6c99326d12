package io.parterre.frontend.table;

import io.parterre.error.ErrorCode;
import io.parterre.error.StorageException;
import java.util.Locale;
import java.util.Optional;

/**
 * Determines the format of an answer: {@code $format} if it is given, else the supported type of
 * {@code Accept} with the highest preference ({@code q}), and the first of equals. Source:
 * docs/protocol.md 2.3. Stateless; thread-safe.
 */
public final class ContentNegotiation {
    private ContentNegotiation() {}

    /**
     * Returns the level of an answer's body.
     *
     * @throws StorageException with status 415, of the kind that fits the requested format
     */
    public static MetadataLevel level(
            Optional<String> format, Optional<String> accept, ApiVersion version) {
        if (!version.hasJson()) {
            throw new StorageException(ErrorCode.JSON_FORMAT_NOT_SUPPORTED);
        }
        String wanted = format.orElseGet(() -> accept.orElse("")).strip();
        if (wanted.isEmpty()) {
            return MetadataLevel.MINIMAL;
        }
        ErrorCode refusal = ErrorCode.MEDIA_TYPE_NOT_SUPPORTED;
        Optional<MetadataLevel> best = Optional.empty();
        double bestQuality = 0;
        for (String range : wanted.split(",")) {
            String type = mediaType(range);
            Optional<MetadataLevel> level = levelOf(type, range);
            if (level.isPresent()) {
                double quality = quality(range);
                if (quality > bestQuality) {
                    best = level;
                    bestQuality = quality;
                }
            } else if (isAtom(type)) {
                refusal = ErrorCode.ATOM_FORMAT_NOT_SUPPORTED;
            } else if (isVerbose(type, range)) {
                refusal = ErrorCode.JSON_VERBOSE_FORMAT_NOT_SUPPORTED;
            }
        }
        if (best.isEmpty()) {
            throw new StorageException(refusal);
        }
        return best.get();
    }

    /** Returns the requested level, or minimal metadata if that level is not supported. */
    public static MetadataLevel levelOrMinimal(
            Optional<String> format, Optional<String> accept, ApiVersion version) {
        try {
            return level(format, accept, version);
        } catch (StorageException unsupported) {
            return MetadataLevel.MINIMAL;
        }
    }

    /**
     * Returns the preference for a type, 0 for a refused type; a malformed preference counts as
     * absent.
     */
    private static double quality(String range) {
        return parameter(range, "q")
                .flatMap(EdmReader::decimal)
                .filter(quality -> quality >= 0 && quality <= 1)
                .orElse(1.0);
    }

    /**
     * Returns whether an error is formatted as JSON. As recorded, errors of the data layer are XML
     * only if the client accepts anything and names no type; errors of the front end are JSON only
     * if the client asks for it.
     */
    public static boolean wantsJsonError(
            Optional<String> format, Optional<String> accept, boolean unlessAsked) {
        String wanted = format.orElseGet(() -> accept.orElse("")).strip();
        return wanted.isEmpty() ? unlessAsked : wanted.toLowerCase(Locale.ROOT).contains("json");
    }

    /**
     * Checks the type of a request's body; an absent type counts as JSON.
     *
     * @throws StorageException {@code ATOM_FORMAT_NOT_SUPPORTED}, {@code MEDIA_TYPE_NOT_SUPPORTED}
     */
    public static void checkBodyType(Optional<String> contentType) {
        String type = mediaType(contentType.orElse(""));
        if (isAtom(type)) {
            throw new StorageException(ErrorCode.ATOM_FORMAT_NOT_SUPPORTED);
        }
        if (!type.isEmpty() && !type.equals("application/json")) {
            throw new StorageException(ErrorCode.MEDIA_TYPE_NOT_SUPPORTED);
        }
    }

    private static Optional<MetadataLevel> levelOf(String type, String range) {
        return switch (type) {
            case "*/*", "application/*", "json" -> Optional.of(MetadataLevel.MINIMAL);
            case "application/json" -> {
                Optional<String> odata = parameter(range, "odata");
                yield odata.isEmpty()
                        ? Optional.of(MetadataLevel.MINIMAL)
                        : MetadataLevel.ofWireName(odata.get());
            }
            default -> Optional.empty();
        };
    }

    private static boolean isAtom(String type) {
        return type.equals("application/atom+xml")
                || type.equals("application/xml")
                || type.equals("text/xml")
                || type.equals("atom");
    }

    private static boolean isVerbose(String type, String range) {
        return type.equals("application/json")
                && parameter(range, "odata").filter("verbose"::equalsIgnoreCase).isPresent();
    }

    static String mediaType(String range) {
        int semicolon = range.indexOf(';');
        return (semicolon < 0 ? range : range.substring(0, semicolon))
                .strip()
                .toLowerCase(Locale.ROOT);
    }

    /** Returns the value of a parameter of a media type, without quotes; empty if absent. */
    static Optional<String> parameter(String range, String name) {
        int end = range.indexOf(';');
        while (end >= 0 && end < range.length()) {
            int start = end + 1;
            int next = range.indexOf(';', start);
            end = next < 0 ? range.length() : next;
            int equals = range.indexOf('=', start);
            boolean named =
                    equals >= 0
                            && equals < end
                            && range.substring(start, equals).strip().equalsIgnoreCase(name);
            if (named) {
                String value = range.substring(equals + 1, end).strip();
                boolean quoted =
                        value.length() >= 2 && value.startsWith("\"") && value.endsWith("\"");
                return Optional.of(quoted ? value.substring(1, value.length() - 1) : value);
            }
        }
        return Optional.empty();
    }
}
