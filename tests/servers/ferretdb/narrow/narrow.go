// Compiled into FerretDB's own package (scripts/buildFerretDb.sh): FerretDB decodes every document of a collection for each query that
// asks for more than an _id, which MongoDB answers from an index. Here SQLite leaves out first what cannot match, with the indexes that
// FerretDB makes and never uses. What passes is looked at by FerretDB as before.
package sqlite

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/FerretDB/FerretDB/internal/backends/sqlite/metadata"
	"github.com/FerretDB/FerretDB/internal/handler/sjson"
	"github.com/FerretDB/FerretDB/internal/types"
	"github.com/FerretDB/FerretDB/internal/util/must"
)

// narrowed adds what follows from a filter to a WHERE clause. It knows texts, equal to one or between two, and whether a
// document is deleted; of everything else it says nothing.
func narrowed(filter *types.Document, where string, args []any) (string, []any) {
	clauses, more := clausesOf(filter)
	for _, clause := range clauses {
		if where == "" {
			where = " WHERE " + clause
		} else {
			where += " AND " + clause
		}
	}
	return where, append(args, more...)
}

// The first field of each index on the documents of read models, always 0 or 1.
const deleted = "deleted"

func clausesOf(filter *types.Document) (clauses []string, args []any) {
	for i, key := range filter.Keys() {
		value := filter.Values()[i]
		if key == "$and" {
			for _, part := range must.NotFail(partsOf(value)) {
				inner, more := clausesOf(part)
				clauses, args = append(clauses, inner...), append(args, more...)
			}
			continue
		}
		if strings.HasPrefix(key, "$") || strings.ContainsAny(key, `"'`) {
			continue
		}
		between, bounds := boundsOf(key, value)
		clauses, args = append(clauses, between...), append(args, bounds...)
		column := metadata.DefaultColumn + `->"` + strings.ReplaceAll(key, ".", `"->"`) + `"`
		if number, ok := value.(int32); ok && key == deleted {
			clauses, args = append(clauses, column+" = ?"), append(args, strconv.Itoa(int(number)))
			continue
		}
		texts := textsOf(value)
		if len(texts) == 0 {
			continue
		}
		clause := fmt.Sprintf("%s IN (%s)", column, strings.TrimSuffix(strings.Repeat("?, ", len(texts)), ", "))
		// An array matches by what is in it. An _id is none, and neither are the keys of documents.
		if key != "_id" && !strings.HasPrefix(key, "keys.") {
			clause = fmt.Sprintf("(%s OR %s >= '[' AND %s < '\\' OR %s IS NULL)", clause, column, column, column)
		}
		clauses = append(clauses, clause)
		for _, text := range texts {
			args = append(args, string(must.NotFail(sjson.MarshalSingleValue(text))))
		}
	}
	return clauses, args
}

var comparisons = map[string]string{"$gt": ">", "$gte": ">=", "$lt": "<", "$lte": "<="}

// boundsOf gives a clause for each text that the field must come after or before, and one more for each that it must come after, which an index can answer.
// SQLite compares by bytes, as MongoDB does; what is no text passes or not, and would be left out by FerretDB.
func boundsOf(key string, value any) (clauses []string, args []any) {
	document, ok := value.(*types.Document)
	if !ok {
		return nil, nil
	}
	names := strings.Split(key, ".")
	last := len(names) - 1
	parent := metadata.DefaultColumn
	for _, name := range names[:last] {
		parent += `->"` + name + `"`
	}
	column := parent + `->>"` + names[last] + `"`
	indexed := parent + `->"` + names[last] + `"`
	for i, operator := range document.Keys() {
		sign, known := comparisons[operator]
		text, isText := document.Values()[i].(string)
		if !known || !isText {
			continue
		}
		clause := fmt.Sprintf("%s %s ?", column, sign)
		// An array matches by what is in it.
		if key != "_id" && !strings.HasPrefix(key, "keys.") {
			clause = fmt.Sprintf("(%s OR %s LIKE '[%%')", clause, column)
		}
		clauses, args = append(clauses, clause), append(args, text)
		// The index holds JSON. What is escaped in it starts with a backslash, so that it comes after every character which is not.
		if (sign == ">" || sign == ">=") && isPlain(text) {
			clauses, args = append(clauses, indexed+" >= ?"), append(args, `"`+text)
		}
	}
	return clauses, args
}

// isPlain tells whether a text comes before every backslash and stands in JSON as it is.
func isPlain(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return r < ' ' || r >= '\\' || strings.ContainsRune(`"&<>`, r) }) < 0
}

func partsOf(value any) (parts []*types.Document, err error) {
	array, ok := value.(*types.Array)
	if !ok {
		return nil, nil
	}
	for i := range array.Len() {
		part, err := array.Get(i)
		if err != nil {
			return nil, err
		}
		if document, ok := part.(*types.Document); ok {
			parts = append(parts, document)
		}
	}
	return parts, nil
}

// textsOf gives the texts one of which a value must be: {field: "a"}, {$eq: "a"}, {$in: ["a", "b"]}; none when that is not all that is known.
func textsOf(value any) []any {
	switch value := value.(type) {
	case string:
		return []any{value}
	case *types.Document:
		if equal, err := value.Get("$eq"); err == nil {
			if text, ok := equal.(string); ok {
				return []any{text}
			}
			return nil
		}
		in, err := value.Get("$in")
		array, ok := in.(*types.Array)
		if err != nil || !ok || array.Len() == 0 || array.Len() > 500 {
			return nil
		}
		var texts []any
		for i := range array.Len() {
			text, ok := must.NotFail(array.Get(i)).(string)
			if !ok {
				return nil
			}
			texts = append(texts, text)
		}
		return texts
	}
	return nil
}
