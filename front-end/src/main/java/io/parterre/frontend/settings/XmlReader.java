package io.parterre.frontend.settings;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.parterre.error.StorageException;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.List;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Parses small documents. Stateless; thread-safe.
 *
 * <p>Document types are refused and nothing outside the document is ever read, so that no entity
 * can expand or be fetched. Depth and number of elements are bounded; the caller bounds the bytes.
 */
final class XmlReader {
    /**
     * Refused before the parser reads it: the parser's code for document types, even when told to
     * skip them, throws undeclared exceptions and prints to standard error. The text is refused
     * inside a comment as well; no client writes such a comment.
     */
    private static final String DOCUMENT_TYPE = "<!DOCTYPE";

    private static final String BYTE_ORDER_MARK = "\uFEFF";

    private static final int DEPTH_MAX = 4;
    private static final int ELEMENTS_MAX = 256;

    private final XMLStreamReader in;
    private int elements;

    private XmlReader(XMLStreamReader in) {
        this.in = in;
    }

    /**
     * Returns the root of a document.
     *
     * @throws io.parterre.error.StorageException {@code INVALID_XML_DOCUMENT} if the bytes are no
     *     document, or exceed the bounds
     */
    static XmlElement read(byte[] document, int offset, int length) {
        String text = text(document, offset, length);
        if (text.contains(DOCUMENT_TYPE)) {
            throw XmlElement.invalid();
        }
        try {
            // A new factory each time, because factories do not promise thread-safety.
            XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
            factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
            factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
            factory.setXMLResolver(
                    (publicId, systemId, baseUri, namespace) -> {
                        throw new XMLStreamException("outside of the document: " + systemId);
                    });
            XMLStreamReader in = factory.createXMLStreamReader(new StringReader(text));
            try {
                return new XmlReader(in).root();
            } finally {
                in.close();
            }
        } catch (StorageException refusal) {
            throw refusal;
        } catch (XMLStreamException | RuntimeException malformed) {
            // The platform's parser lacks the text of some of its messages, and reports this by an
            // exception of another kind.
            throw XmlElement.invalid();
        }
    }

    /**
     * Returns the document as text. Clients write only UTF-8; about other bytes the platform's
     * parser would print to standard error.
     */
    private static String text(byte[] document, int offset, int length) {
        try {
            String text =
                    UTF_8.newDecoder().decode(ByteBuffer.wrap(document, offset, length)).toString();
            return text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
        } catch (CharacterCodingException malformed) {
            throw XmlElement.invalid();
        }
    }

    private XmlElement root() throws XMLStreamException {
        XmlElement root = null;
        while (in.hasNext()) {
            switch (in.next()) {
                case XMLStreamConstants.START_ELEMENT -> root = element(1);
                case XMLStreamConstants.DTD, XMLStreamConstants.ENTITY_REFERENCE ->
                        throw XmlElement.invalid();
                default -> {
                    // Comments, processing instructions and whitespace are ignored.
                }
            }
        }
        if (root == null) {
            throw XmlElement.invalid();
        }
        return root;
    }

    private XmlElement element(int depth) throws XMLStreamException {
        elements++;
        if (depth > DEPTH_MAX || elements > ELEMENTS_MAX) {
            throw XmlElement.invalid();
        }
        String name = in.getLocalName();
        StringBuilder text = new StringBuilder();
        List<XmlElement> children = new ArrayList<>();
        while (true) {
            switch (in.next()) {
                case XMLStreamConstants.START_ELEMENT -> children.add(element(depth + 1));
                case XMLStreamConstants.END_ELEMENT -> {
                    if (!children.isEmpty() && !text.toString().isBlank()) {
                        throw XmlElement.invalid();
                    }
                    return new XmlElement(name, text.toString(), children);
                }
                case XMLStreamConstants.CHARACTERS,
                        XMLStreamConstants.CDATA,
                        XMLStreamConstants.SPACE ->
                        text.append(in.getText());
                case XMLStreamConstants.COMMENT, XMLStreamConstants.PROCESSING_INSTRUCTION -> {
                    // Ignored.
                }
                default -> throw XmlElement.invalid();
            }
        }
    }
}
