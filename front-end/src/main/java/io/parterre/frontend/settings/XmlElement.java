package io.parterre.frontend.settings;

import io.parterre.error.ErrorCode;
import io.parterre.error.StorageException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * An element without its attributes and namespace.
 *
 * @param text all of its text; only blanks where it has children
 */
record XmlElement(String name, String text, List<XmlElement> children) {
    XmlElement {
        children = List.copyOf(children);
    }

    static StorageException invalid() {
        return new StorageException(ErrorCode.INVALID_XML_DOCUMENT);
    }

    /**
     * The same, if it has this name.
     *
     * @throws StorageException {@code INVALID_XML_DOCUMENT}
     */
    XmlElement named(String expected) {
        if (!name.equals(expected)) {
            throw invalid();
        }
        return this;
    }

    /**
     * The same, if its children have these names, none twice, in any order.
     *
     * @throws StorageException {@code INVALID_XML_DOCUMENT}
     */
    XmlElement having(String... names) {
        List<String> possible = Arrays.asList(names);
        Set<String> seen = new HashSet<>();
        for (XmlElement child : children) {
            if (!possible.contains(child.name) || !seen.add(child.name)) {
                throw invalid();
            }
        }
        return this;
    }

    Optional<XmlElement> child(String childName) {
        return children.stream().filter(child -> child.name.equals(childName)).findFirst();
    }

    /**
     * A child that has to be there.
     *
     * @throws StorageException {@code INVALID_XML_DOCUMENT}
     */
    XmlElement require(String childName) {
        return child(childName).orElseThrow(XmlElement::invalid);
    }

    /** Its text without blanks around it, if it has only text. */
    String value() {
        having();
        return text.strip();
    }
}
